import type { Attachment } from 'svelte/attachments';

/** Tells whether an element is on screen or nearly so, at each change. */
export function onScreen(tell: (visible: boolean) => void): Attachment {
	return (element) => {
		const observer = new IntersectionObserver(
			(entries) => tell(entries.some((entry) => entry.isIntersecting)),
			{ rootMargin: '200px' },
		);
		observer.observe(element);
		return () => observer.disconnect();
	};
}
