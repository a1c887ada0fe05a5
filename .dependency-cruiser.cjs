/** The table of ARCHITECTURE.md as a check: who may import whom, and which packages belong where. */
const parts = {
	contract: [],
	magrpo: ['contract', 'policy/policy.ts', 'tasks/task.ts'],
	compute: ['contract'],
	policy: ['contract', 'compute'],
	tasks: ['contract', 'policy/policy.ts'],
	store: ['contract'],
	runs: ['contract', 'magrpo', 'compute', 'policy', 'tasks', 'store'],
	services: ['contract', 'runs', 'store', 'tasks', 'compute', 'policy'],
	shell: ['contract', 'services', 'runs'],
	cli: ['contract', 'services', 'runs', 'store', 'tasks', 'compute', 'policy', 'shell/browser'],
};

const packages = {
	zod: '^src-main/',
	'better-sqlite3': '^src-main/store/',
	electron: '^src-main/(shell/electron|runs)/',
	'@tensorflow/': '^src-main/(compute|policy)/',
	'onnxruntime-node': '^src-main/compute/',
	webgpu: '^src-main/compute/',
	'@huggingface/': '^src-main/policy/',
	'chart.js': '^src-renderer/components/',
	svelte: '^src-renderer/',
};

module.exports = {
	forbidden: [
		{
			name: 'no-circular',
			severity: 'error',
			from: {},
			to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
		},
		...Object.entries(parts).map(([part, allowed]) => ({
			name: `${part}-imports`,
			severity: 'error',
			from: { path: `^src-main/${part}/` },
			to: {
				path: '^src-(main|renderer)/',
				pathNot: [`^src-main/${part}/`, ...allowed.map((path) => `^src-main/${path}`)],
			},
		})),
		{
			name: 'renderer-imports',
			severity: 'error',
			from: { path: '^src-renderer/' },
			to: { path: '^src-main/', pathNot: '^src-main/contract/' },
		},
		{
			name: 'logic-is-pure',
			severity: 'error',
			from: { path: '^src-renderer/logic/' },
			to: { path: '^src-renderer/(bridge|state|views|components)/|svelte' },
		},
		{
			name: 'algorithm-is-pure',
			severity: 'error',
			from: { path: '^src-main/magrpo/' },
			to: { dependencyTypes: ['npm', 'core'] },
		},
		...Object.entries(packages).map(([name, home]) => ({
			name: `${name.replaceAll(/[^a-z0-9-]/g, '')}-home`,
			severity: 'error',
			from: { path: '^src-', pathNot: home },
			to: { path: `^node_modules/${name}` },
		})),
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		doNotFollow: { path: 'node_modules' },
		enhancedResolveOptions: { extensions: ['.ts', '.js', '.svelte', '.json'] },
	},
};
