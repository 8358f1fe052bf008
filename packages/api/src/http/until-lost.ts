/** How often those who hold a stream open are asked again (ms). */
const everyMs = 2_000

/** Aborts with the signal, and soon after somebody may not read on. Nobody stays because that cannot be told. */
export function untilLost(mayReadOn: () => Promise<boolean>, left: AbortSignal): AbortSignal {
  const lost = new AbortController()
  const look = () =>
    mayReadOn().then(
      (may) => may || lost.abort(),
      () => lost.abort(),
    )
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  left.addEventListener("abort", () => clearInterval(timer), { once: true })
  return AbortSignal.any([left, lost.signal])
}
