import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, it } from "vitest"
import { createOutputCapture } from "./output-capture.ts"

it("a capture saves all output and shows both ends, whatever the chunks", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-capture-"))
  let number = 0
  const line = fc.constantFrom("é\n", "x", `${"ü".repeat(300)}\n`, "\n", "word ".repeat(2_000))
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(line, fc.integer({ min: 1, max: 700 })), { maxLength: 12 }), async (runs) => {
        const full = Buffer.from(
          runs.map(([text, count]) => text.repeat(Math.min(count, 300_000 / text.length))).join(""),
        )
        const file = path.join(directory, `${number++}`)
        const capture = createOutputCapture({ file, maxBytes: 1e9 })
        for (let at = 0; at < full.length; at += 65_537) {
          expect(await capture.push(full.subarray(at, at + 65_537))).toBe(true)
        }
        const result = await capture.finish()
        await capture.close()
        expect(result.bytes).toBe(full.length)
        if (result.path === null) {
          expect(result.text).toBe(full.toString())
          return
        }
        expect(readFileSync(result.path).equals(full)).toBe(true)
        expect(Buffer.byteLength(result.text)).toBeLessThan(52_200)
        expect(result.text.split("\n").length).toBeLessThanOrEqual(2_004)
        const [start, end] = result.text.split(/\n…[^…]*…\n\n/)
        expect(full.toString().startsWith(start ?? "?")).toBe(true)
        expect(full.toString().endsWith(end ?? "?")).toBe(true)
        expect(result.text).not.toContain("\uFFFD")
      }),
      drawn(30),
    )
  } finally {
    rmSync(directory, { recursive: true })
  }
})

it("a capture stores no more than its limit", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-capture-"))
  const capture = createOutputCapture({ file: path.join(directory, "out"), maxBytes: 100_000 })
  expect(await capture.push(Buffer.alloc(99_999, "a"))).toBe(true)
  expect(await capture.push(Buffer.alloc(2, "a"))).toBe(false)
  expect((await capture.finish()).bytes).toBe(100_000)
  await capture.close()
  rmSync(directory, { recursive: true })
})

it("live output shows its end without broken sequences, the model no colours", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-capture-"))
  const line = "\u001b[38;5;196mred\u001b[0m\u001b]0;title\u0007\n"
  for (let shift = 0; shift < line.length; shift++) {
    const capture = createOutputCapture({ file: path.join(directory, `out-${shift}`), maxBytes: 1e9 })
    await capture.push(Buffer.from("x".repeat(shift) + line.repeat(20)))
    const end = capture.live(50)
    expect(end.replaceAll("\u001b[38;5;196m", "").replaceAll("\u001b[0m", "")).toMatch(
      /^(?:(?:red|ed|d)?\n)?(?:red\n)*$/,
    )
    expect((await capture.finish()).text).not.toContain("\u001b")
    await capture.close()
  }
  rmSync(directory, { recursive: true })
})
