/** The one entrance of `compute/` for `runs/`, `services/` and `policy/`. */
export { chooseDevice, inspectBackends, type BackendName, type Device } from './backends.ts';
