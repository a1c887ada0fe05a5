/**
 * The credit audit: returns and advantages of one node, recomputed from the stored rewards by a second
 * implementation, step by step, and compared with what the trainer used (magrpo.md 2.6 to 2.8).
 */
import type { RolloutNode } from '../../../src-main/contract/tree.ts';

export interface AuditSettings {
	discount: number;
	advantageMode: 'mean' | 'raw' | 'max' | 'rloo';
	normalization: boolean;
	/** Weight of the reference KL; 0 where the run keeps no reference. */
	klCoefficient: number;
	/** The reference library's profile: cross returns are summed, and the smallest divisor is 1e-6. */
	compat: boolean;
	jointMode: 'aligned' | 'cross';
}

export interface JointAudit {
	joint: number;
	reward: number | null;
	/** Mean return of the child's joint completions; null where the branch ends here. */
	childMean: number | null;
	recomputed: number | null;
	stored: number | null;
	differs: boolean;
}

export interface CompletionAudit {
	completion: number;
	/** Mean (compat: sum) of the returns of the joint completions it takes part in. */
	credited: number | null;
	klPenalty: number;
	/** Credited return minus penalty. */
	effective: number | null;
	baseline: number | null;
	/** Null without normalisation. */
	divisor: number | null;
	recomputed: number | null;
	stored: number | null;
	differs: boolean;
	/** Which way the update pushed the log-probability of this completion. */
	push: 'up' | 'down' | 'none';
}

export interface NodeAudit {
	joints: JointAudit[];
	/** [agent][completion]. */
	agents: CompletionAudit[][];
	differences: number;
}

const tolerance = 1e-6;

function differs(a: number | null, b: number | null): boolean {
	if (a === null || b === null) return a !== b;
	return Math.abs(a - b) > tolerance * Math.max(1, Math.abs(a), Math.abs(b));
}

function average(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function known(values: readonly (number | null)[]): number[] {
	return values.filter((value) => value !== null);
}

/** `childReturns(joint)` gives the stored returns of the joint completions of that joint's child. */
export function auditNode(
	node: RolloutNode,
	settings: AuditSettings,
	childReturns: (joint: number) => readonly (number | null)[],
): NodeAudit {
	const joints = node.joints.map((joint, index): JointAudit => {
		const following = joint.child === null ? null : known(childReturns(index));
		const childMean = following === null || following.length === 0 ? null : average(following);
		const unknown =
			joint.reward === null ||
			joint.feedbackError !== undefined ||
			(joint.child !== null && childMean === null);
		const recomputed = unknown
			? null
			: (joint.reward ?? 0) + (childMean === null ? 0 : settings.discount * childMean);
		return {
			joint: index,
			reward: joint.reward,
			childMean,
			recomputed,
			stored: joint.return,
			differs: differs(recomputed, joint.return),
		};
	});
	const agents = node.agents.map((turn, agent) => {
		const credited = turn.completions.map((_, k) => {
			const own = node.joints.flatMap((joint, index) =>
				joint.picks[agent] === k ? [joints[index]?.recomputed ?? null] : [],
			);
			const values = known(own);
			if (values.length === 0) return null;
			return settings.jointMode === 'cross' && settings.compat
				? average(values) * own.length
				: average(values);
		});
		const penalties = turn.completions.map(
			(completion) => settings.klCoefficient * (completion.referenceKl ?? 0),
		);
		const effective = credited.map((value, k) =>
			value === null ? null : value - (penalties[k] ?? 0),
		);
		const { advantages, baselines, divisor } = groupAdvantages(effective, settings);
		return turn.completions.map((completion, k): CompletionAudit => {
			// A frozen agent is not trained: nothing was used, so nothing can differ.
			const recomputed = completion.advantage === null ? null : (advantages[k] ?? null);
			const stored = completion.advantage;
			return {
				completion: k,
				credited: credited[k] ?? null,
				klPenalty: penalties[k] ?? 0,
				effective: effective[k] ?? null,
				baseline: baselines[k] ?? null,
				divisor,
				recomputed,
				stored,
				differs: differs(recomputed, stored),
				push: stored === null || stored === 0 ? 'none' : stored > 0 ? 'up' : 'down',
			};
		});
	});
	const differences = [...joints, ...agents.flat()].filter((entry) => entry.differs).length;
	return { joints, agents, differences };
}

function groupAdvantages(
	effective: readonly (number | null)[],
	settings: AuditSettings,
): { advantages: (number | null)[]; baselines: (number | null)[]; divisor: number | null } {
	const values = known(effective);
	const low = Math.min(...values);
	const high = Math.max(...values);
	const spread = high - low > 1e-9 * Math.max(1, Math.abs(low), Math.abs(high));
	const compares = settings.normalization || settings.advantageMode !== 'raw';
	const baselines = effective.map((value) =>
		value === null ? null : baselineOf(value, values, settings.advantageMode),
	);
	const plain = effective.map((value, k) => (value === null ? null : value - (baselines[k] ?? 0)));
	if (compares && (values.length < 2 || !spread)) {
		return {
			advantages: effective.map((value) => (value === null ? null : 0)),
			baselines,
			divisor: null,
		};
	}
	if (!settings.normalization) return { advantages: plain, baselines, divisor: null };
	const centre = average(known(plain));
	const deviation = Math.sqrt(average(known(plain).map((value) => (value - centre) ** 2)));
	const divisor = Math.max(deviation, settings.compat ? 1e-6 : 1e-4);
	return {
		advantages: plain.map((value) => (value === null ? null : (value - centre) / divisor)),
		baselines,
		divisor,
	};
}

function baselineOf(
	value: number,
	values: readonly number[],
	mode: AuditSettings['advantageMode'],
): number {
	switch (mode) {
		case 'mean':
			return average(values);
		case 'raw':
			return 0;
		case 'max':
			return Math.max(...values);
		case 'rloo':
			return (values.reduce((sum, other) => sum + other, 0) - value) / (values.length - 1);
	}
}
