/** The one entrance of `compute/` for `runs/`, `services/` and `policy/`. */
export type { Tfjs } from './tensorflow.ts';
export { loadTfjs } from './tensorflow.ts';
export { type Need, tellingMemory } from './memory-errors.ts';
export { chooseDevice, inspectBackends, type BackendName, type Device } from './backends.ts';
