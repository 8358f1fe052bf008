import { expect, test } from "vitest"
import { ShownName, shownName } from "./shown-name.ts"

const fine = ["Ada", "Ödön & Söhne", "日本", "محمد", "می‌خواهم", "👩‍👧 family", "O'Neil <ops>", "  Bo  "]
const odd = [
  "two\nlines",
  "a\rb",
  "\u001b[31mred",
  "nul\u0000",
  "\u202Eevil\u202C",
  "\u2066x\u2069",
  "x\u2028y",
  "zero\u200Bwidth",
  "A\uFEFFda",
  "soft\u00ADhyphen",
  "\u{E0041}tag",
  "\uD800",
]

test("a name is one line of characters that are seen", () => {
  for (const name of fine) expect(ShownName.parse(name)).toBe(name.trim())
  const empty = ["", "  ", "\u200D", "\u2800", "\u3164", "x".repeat(81)]
  for (const name of [...odd, ...empty]) expect(ShownName.safeParse(name).success, JSON.stringify(name)).toBe(false)
})

test("a name from another service is made fit to show, or null", () => {
  for (const name of fine) expect(shownName(name)).toBe(name.trim())
  for (const name of [...odd, "x".repeat(500), `${"x".repeat(79)}😀`]) {
    const made = shownName(name)
    expect(made === null || ShownName.safeParse(made).success, JSON.stringify(name)).toBe(true)
  }
  expect(odd.map(shownName).slice(0, 5)).toEqual(["two lines", "a b", "[31mred", "nul", "evil"])
  expect(["", "\u200B", "\u3164"].map(shownName)).toEqual([null, null, null])
})
