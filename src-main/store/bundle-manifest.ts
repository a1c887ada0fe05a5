/**
 * A `.grove` bundle is a zip with `manifest.json`, `runs.db` (a database of Grove's that holds only these
 * runs), and on request the folders of their checkpoints as `checkpoints/RUN/FOLDER/...`.
 */
import { z } from 'zod';

export const manifestName = 'manifest.json';
export const databaseName = 'runs.db';
export const checkpointsName = 'checkpoints';

export const manifestSchema = z.object({
	format: z.literal('grove-bundle'),
	version: z.int(),
	runs: z.array(z.object({ id: z.string().min(1).max(200), name: z.string(), step: z.number() })),
});
export type BundleManifest = z.output<typeof manifestSchema>;

export const bundleVersion = 1;
