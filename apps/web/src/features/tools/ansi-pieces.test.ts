import fc from "fast-check"
import { expect, it } from "vitest"
import { ansiLines, ansiPieces, shortLines, styleClasses, withoutColours } from "./ansi-pieces.ts"

const esc = "\u001b"
const drawn = (text: string) => ansiPieces(text).pieces.map(({ text, style }) => [text, styleClasses(style)])

it.each([
  [
    "named and bright colours",
    `${esc}[31mred${esc}[0m ${esc}[92mgreen${esc}[39m`,
    [
      ["red", "red"],
      [" ", ""],
      ["green", "green"],
    ],
  ],
  [
    "weights",
    `${esc}[1;4mtitle${esc}[22m line${esc}[m`,
    [
      ["title", "bold underline"],
      [" line", "underline"],
    ],
  ],
  [
    "the 256 colours",
    `${esc}[38;5;196mred${esc}[38;5;33mblue${esc}[38;5;240mgrey`,
    [
      ["red", "red"],
      ["blue", "blue"],
      ["grey", "grey"],
    ],
  ],
  [
    "colours of 24 bits, nearest by hue",
    `${esc}[38;2;255;135;0mtea${esc}[38:2::30:200:60mleaf`,
    [
      ["tea", "yellow"],
      ["leaf", "green"],
    ],
  ],
  [
    "backgrounds as tints",
    `${esc}[42;30m PASS ${esc}[0m${esc}[7mhere`,
    [
      [" PASS ", "on-green"],
      ["here", "on-grey"],
    ],
  ],
  [
    "black and white as text",
    `${esc}[30ma${esc}[97mb${esc}[38;2;0;0;0mc`,
    [
      ["a", ""],
      ["b", ""],
      ["c", ""],
    ],
  ],
  ["hidden text, which is shown", `${esc}[8mrm -rf${esc}[28m`, [["rm -rf", ""]]],
  ["numbers that mean nothing", `${esc}[999;;38;5mx`, [["x", ""]]],
])("ansiPieces draws %s", (_name, text, pieces) => {
  expect(drawn(text)).toEqual(pieces)
})

it("a colour is carried from line to line", () => {
  const { lines } = ansiLines(`one ${esc}[31mtwo\nthree${esc}[0m\nfour\n`)
  expect(lines.map(({ text, style }) => [withoutColours(text), styleClasses(style)])).toEqual([
    ["one two", ""],
    ["three", "red"],
    ["four", ""],
  ])
})

it("a long line is split without cutting codes or colours", () => {
  const text = `plain ${esc}[31mred`.repeat(40)
  const style = ansiLines("").style
  const cut = shortLines([...ansiLines(text).lines, ...ansiLines("short").lines], 50)
  expect(cut.map((line) => line.text).join("")).toBe(`${text}short`)
  expect(cut.every((line) => line.text.length <= 60)).toBe(true)
  const pieces = cut.flatMap((line) => ansiPieces(line.text, line.style).pieces)
  expect(pieces.filter((piece) => piece.text.includes(esc))).toEqual([])
  expect(pieces.at(-2)?.style).toEqual({ ...style, hue: "red" })
})

it("no text is lost, whatever the codes are", () => {
  const code = fc.array(fc.nat({ max: 300 }), { maxLength: 8 }).map((numbers) => `${esc}[${numbers.join(";")}m`)
  fc.assert(
    fc.property(fc.array(fc.oneof(code, fc.constantFrom("a", " b", "\n")), { maxLength: 30 }), (parts) => {
      const text = parts.join("")
      expect(
        ansiPieces(text)
          .pieces.map((piece) => piece.text)
          .join(""),
      ).toBe(withoutColours(text))
      const lines = ansiLines(text).lines.map((line) => withoutColours(line.text))
      expect(lines.join("\n")).toBe(withoutColours(text.replace(/\n$/, "")))
    }),
  )
})
