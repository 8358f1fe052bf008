/** How often a stream's reader is checked again (ms). */
const everyMs = 2_000

/** Aborts with `closed`, and soon after the reader may no longer read. When that cannot be checked, it aborts too. */
export function untilLost(mayReadOn: () => Promise<boolean>, closed: AbortSignal): AbortSignal {
  const lost = new AbortController()
  const look = () =>
    mayReadOn().then(
      (may) => may || lost.abort(),
      () => lost.abort(),
    )
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  closed.addEventListener("abort", () => clearInterval(timer), { once: true })
  return AbortSignal.any([closed, lost.signal])
}
