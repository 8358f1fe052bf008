import { stripVTControlCharacters } from "node:util"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { colouredOutput, endOfColoured, plainOutput } from "./coloured-output.ts"

const esc = "\u001b"
const red = `${esc}[31m`
const reset = `${esc}[0m`

describe("colouredOutput", () => {
  it.each([
    [
      "colours and weights",
      `${red}no${reset} ${esc}[1;38;2;9;8;7myes${esc}[m`,
      `${red}no${reset} ${esc}[1;38;2;9;8;7myes${esc}[m`,
    ],
    ["moves of the cursor", `one${esc}[2K${esc}[1A${esc}[10;3Htwo`, "onetwo"],
    ["a title", `${esc}]0;rm -rf /\u0007done`, "done"],
    ["a link", `${esc}]8;;https://evil.example${esc}\\here${esc}]8;;${esc}\\`, "here"],
    ["a clipboard", `${esc}]52;c;cm0gLXJmIC8=${esc}\\done`, "done"],
    ["a device string", `${esc}P1;2|payload${esc}\\done`, "done"],
    ["the other screen and the mouse", `${esc}[?1049h${esc}[?1000hdone${esc}[?1049l`, "done"],
    ["resets and character sets", `${esc}c${esc}(0${esc}#8done`, "done"],
    ["sequences of one byte", "\u009b31mone\u009d0;title\u009cdone", "onedone"],
    ["bells, backspaces and nothing", "a\u0007b\bc\u0000", "abc\uFFFD"],
    ["a private sequence that ends like a colour", `${esc}[>4;2mdone${esc}[?25m`, "done"],
    ["an endless colour", `${esc}[${"1;".repeat(400)}mdone`, "done"],
  ])("keeps colours and removes other terminal codes: %s", (_name, text, shown) => {
    expect(colouredOutput(text)).toBe(shown)
  })

  it("lets no unterminated string hide a line", () => {
    expect(colouredOutput(`one${esc}]0;title\nrm -rf build\n`)).toContain("\nrm -rf build\n")
  })

  it("shows a progress line's last state in the colours set before", () => {
    expect(colouredOutput(`${esc}[32m 10%\r 50%\r100%${reset}\r\nnext\r\n`)).toBe(`${esc}[32m100%${reset}\nnext\n`)
  })

  it.each([`done${esc}`, `done${esc}[`, `done${esc}[38;5`, `done${esc}]0;ti`, `done${esc}]0;ti${esc}`, `done${esc}(`])(
    "removes a sequence cut at the end: %j",
    (text) => {
      expect(colouredOutput(text)).toBe("done")
    },
  )

  const pieces = fc.constantFrom(
    esc,
    "[",
    "]",
    "31",
    ";",
    "m",
    "K",
    "\u0007",
    "\\",
    "\r",
    "\n",
    "\u009b",
    "P",
    "?",
    "a",
    "\b",
    red,
  )
  const hostile = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary" }),
  )

  it("lets only colours through, even when input pieces combine", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = colouredOutput(text)
        expect(shown.replace(new RegExp(`${esc}\\[[\\d;:]*m`, "g"), "")).not.toMatch(/(?![\t\n])\p{Cc}/u)
        expect(colouredOutput(shown)).toBe(shown)
      }),
      drawn(2_000),
    )
  })

  it("shows the same text as the model reads for harmless output", () => {
    const line = fc.array(fc.constantFrom("word ", red, reset, "é", "1m", "[", "50%\r"), { maxLength: 20 })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const text = lines.map((parts) => parts.join("")).join("\n")
        expect(stripVTControlCharacters(colouredOutput(text))).toBe(plainOutput(text))
      }),
      drawn(300),
    )
  })
})

describe("endOfColoured", () => {
  it("never begins in the middle of a sequence", () => {
    const text = `first ${esc}[38;5;196mlast${reset}`
    for (let count = 0; count <= text.length; count++) {
      expect(`first last`.endsWith(stripVTControlCharacters(endOfColoured(text, count)))).toBe(true)
    }
    expect(endOfColoured(text, text.length)).toBe(text)
  })
})
