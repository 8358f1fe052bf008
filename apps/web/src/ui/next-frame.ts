/** Resolves after the next frame: earlier changes are then on screen, and their effects have run. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
  })
}
