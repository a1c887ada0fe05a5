/** What task code prints, as lines for the run's log, bounded per call and in all. */
import { StringDecoder } from 'node:string_decoder';

const longestLine = 2000;
const bytesPerCall = 32 * 1024;

/** Shared by the processes of a run. */
export interface OutputBudget {
	bytes: number;
}

export function outputBudget(): OutputBudget {
	return { bytes: 4 * 1024 * 1024 };
}

export class HostOutput {
	readonly #tell: (line: string) => void;
	readonly #decoder = new StringDecoder('utf8');
	#rest = '';
	#callBytes = 0;
	readonly #budget: OutputBudget;
	#dropped = 0;

	constructor(budget: OutputBudget, tell: (line: string) => void) {
		this.#budget = budget;
		this.#tell = tell;
	}

	push(chunk: Buffer): void {
		const room = Math.max(0, Math.min(bytesPerCall - this.#callBytes, this.#budget.bytes));
		const kept = chunk.subarray(0, room);
		this.#callBytes += kept.length;
		this.#budget.bytes -= kept.length;
		this.#dropped += chunk.length - kept.length;
		const lines = (this.#rest + this.#decoder.write(kept)).split('\n');
		this.#rest = lines.pop() ?? '';
		for (const line of lines) this.#line(line);
		if (this.#rest.length > longestLine) this.flush();
	}

	flush(): void {
		if (this.#rest !== '') this.#line(this.#rest);
		this.#rest = '';
	}

	/** Tells what is left of a line, and how much was not kept. */
	endCall(): void {
		this.flush();
		if (this.#dropped > 0) this.#tell(`(${this.#dropped} more bytes of output were not kept)`);
		this.#dropped = 0;
		this.#callBytes = 0;
	}

	#line(line: string): void {
		const text = line.replace(/\r$/u, '');
		this.#tell(
			text.length > longestLine
				? `${text.slice(0, longestLine)}… (${text.length - longestLine} more characters)`
				: text,
		);
	}
}
