/** Prints `N passed, N failed, N skipped` over the JSON reports of the test runners; fails if nothing ran or something failed. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const reportSchema = z.object({
	numPassedTests: z.int(),
	numFailedTests: z.int(),
	numPendingTests: z.int(),
	numTodoTests: z.int(),
	numFailedTestSuites: z.int(),
});

let passed = 0;
let failed = 0;
let skipped = 0;
for (const path of process.argv.slice(2)) {
	const report = reportSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
	passed += report.numPassedTests;
	// A suite that cannot even load counts as one failure.
	failed += report.numFailedTests + (report.numFailedTests === 0 ? report.numFailedTestSuites : 0);
	skipped += report.numPendingTests + report.numTodoTests;
}
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
