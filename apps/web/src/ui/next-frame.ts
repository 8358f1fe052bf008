/** Resolves after the next frame was drawn: what changed before is on screen, and its effects have run. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
  })
}
