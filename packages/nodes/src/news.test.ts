import { expect, onTestFinished, test, vi } from "vitest"
import { createNews } from "./news.ts"

/** News through a database that delivers to whoever listens, with the texts that it was given. */
function start() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const texts: string[] = []
  const listeners = new Set<(text: string | null) => void>()
  const news = createNews({
    wake: {
      listen(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      close: async () => {},
    },
    async execute(_sql, values = []) {
      texts.push(String(values[1]))
      for (const listener of listeners) listener(String(values[1]))
      return { rows: [] }
    },
    onError(error) {
      throw error
    },
  })
  return { news, texts, lose: () => listeners.forEach((listener) => void listener(null)) }
}

test("changes within a moment are told together, once for each tree", async () => {
  const { news, texts, lose } = start()
  const heard: (string | null)[] = []
  news.of("acme").listen((rootID) => void heard.push(rootID))
  for (const rootID of ["ses_a", "ses_b", "ses_a"]) news.of("acme").tell(rootID)
  news.of("globex").tell("ses_c")
  expect(texts).toEqual([])
  await vi.advanceTimersByTimeAsync(100)
  expect(texts).toEqual(["rows acme ses_a ses_b", "rows globex ses_c"])
  lose()
  expect(heard).toEqual(["ses_a", "ses_b", null])
})

test("as many trees are told at once as fit into a notification", async () => {
  const { news, texts } = start()
  const roots = Array.from({ length: 1_000 }, (_, n) => `ses_${String(n).padStart(26, "0")}`)
  for (const rootID of roots) news.of("acme").tell(rootID)
  await vi.advanceTimersByTimeAsync(100)
  expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThan(8_000)
  expect(texts.flatMap((text) => text.split(" ").slice(2))).toEqual(roots)
  expect(texts).toHaveLength(4)
})
