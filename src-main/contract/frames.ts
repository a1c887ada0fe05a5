/**
 * What travels over the WebSocket `/ws` of the browser shell: one text frame, made by `encode`, per
 * message. The client numbers its requests; replies may come in any order. Pushes go to every client.
 */
import type { ErrorValue } from './errors.ts';
import type { PushName, Pushes, Reply, RequestName } from './requests.ts';

export interface RequestFrame {
	kind: 'request';
	id: number;
	name: string;
	params: unknown;
}

export interface ReplyFrame {
	kind: 'reply';
	id: number;
	reply: Reply<RequestName>;
}

export type PushFrame = {
	[P in PushName]: { kind: 'push'; name: P; payload: Pushes[P] };
}[PushName];

export type ServerFrame = ReplyFrame | PushFrame;

/**
 * Files come in by `POST /upload` (both shells, relative to the window's own address): body the bytes,
 * content type `application/octet-stream`, the name percent-encoded in this header. Answered with JSON.
 */
export const uploadPath = '/upload';
export const uploadNameHeader = 'x-file-name';
/** `path` is for `import.file`. */
export type UploadReply = { ok: true; path: string } | { ok: false; error: ErrorValue };
