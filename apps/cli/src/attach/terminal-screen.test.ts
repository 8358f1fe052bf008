import { Writable } from "node:stream"
import { expect, it } from "vitest"
import { createScreen } from "./terminal-screen.ts"

function terminal(size: { isTTY?: boolean; columns?: number }) {
  let text = ""
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream: Object.assign(stream, size), text: () => text }
}

/** What stands on a terminal after this output, with the movements that a screen uses. */
function shown(text: string): string[] {
  const rows: string[] = []
  // Nothing but these movements ends with a carriage return here.
  for (const piece of text.replaceAll("\u001b[J", "").split(/(?<=\n)|(?<=\r)/)) {
    const up = /\[(\d+)A\r$/.exec(piece)?.[1]
    if (up !== undefined) rows.splice(rows.length - Number(up))
    else rows.push(piece.trimEnd())
  }
  return rows.filter((row) => row !== "")
}

it("lines scroll above a board that stays below them", () => {
  const { stream, text } = terminal({ isTTY: true, columns: 21 })
  const screen = createScreen(stream)
  screen.print(["one"])
  screen.setBoard(["◐ a child that works for long", "○ another"])
  screen.print(["two", "three, which takes two lines"])
  expect(shown(text())).toEqual(["one", "two", "three, which takes", "two lines", "◐ a child that work…", "○ another"])
  screen.setBoard([])
  expect(shown(text())).toHaveLength(4)
})

it("lines wait while somebody is asked", () => {
  const { stream, text } = terminal({ isTTY: true, columns: 40 })
  const screen = createScreen(stream)
  screen.setBoard(["◐ works"])
  screen.hold()
  screen.print(["meanwhile"])
  screen.setBoard(["○ waits"])
  expect(shown(text())).toEqual([])
  screen.resume()
  expect(shown(text())).toEqual(["meanwhile", "○ waits"])
})

it("without a terminal there are lines alone, and no movements", () => {
  const { stream, text } = terminal({})
  const screen = createScreen(stream)
  screen.setBoard(["◐ works"])
  screen.print(["one"])
  expect(text()).toBe("one\n")
})
