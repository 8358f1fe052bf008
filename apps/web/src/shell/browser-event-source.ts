/** Replaces the `eventsource` package in browser bundles. */
export const EventSource = globalThis.EventSource
