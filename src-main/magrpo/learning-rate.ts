/** The learning rate of an update: warm-up over optimizer steps, times decay over the run. */
export interface LearningRateRule {
	schedule: 'constant' | 'linear' | 'cosine';
	warmupSteps: number;
}

/**
 * `updates`: optimizer steps that this agent has taken before. `progress`: share of the run's steps
 * done before this one, 0 to 1. Decay goes by the run's steps, since nobody knows beforehand how many
 * optimizer steps early ends and groups without variance will leave.
 */
export function learningRateAt(
	base: number,
	rule: LearningRateRule,
	updates: number,
	progress: number,
): number {
	const warm = rule.warmupSteps === 0 ? 1 : Math.min(1, (updates + 1) / rule.warmupSteps);
	return base * warm * decay(rule.schedule, progress);
}

function decay(schedule: LearningRateRule['schedule'], progress: number): number {
	switch (schedule) {
		case 'constant':
			return 1;
		case 'linear':
			return 1 - progress;
		case 'cosine':
			return (1 + Math.cos(Math.PI * progress)) / 2;
	}
}
