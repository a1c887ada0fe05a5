/**
 * What a page of Grove may do, the same in both shells: load its own files and talk to its own shell.
 * No inline script or style, no other address, no frames.
 */
export const contentSecurityPolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data: blob:",
	"font-src 'self'",
	"connect-src 'self'",
	"worker-src 'self'",
	"manifest-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
	"object-src 'none'",
].join('; ');

export const securityHeaders: Readonly<Record<string, string>> = {
	'content-security-policy': contentSecurityPolicy,
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'permissions-policy':
		'camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
};

const types: Readonly<Record<string, string>> = {
	css: 'text/css; charset=utf-8',
	html: 'text/html; charset=utf-8',
	ico: 'image/x-icon',
	js: 'text/javascript; charset=utf-8',
	json: 'application/json; charset=utf-8',
	map: 'application/json; charset=utf-8',
	png: 'image/png',
	svg: 'image/svg+xml',
	webmanifest: 'application/manifest+json',
	woff2: 'font/woff2',
};

/** Content type by the extension of a file of the renderer's build. */
export function contentTypeOf(path: string): string {
	const extension = /\.([a-z0-9]+)$/u.exec(path)?.[1] ?? '';
	return types[extension] ?? 'application/octet-stream';
}
