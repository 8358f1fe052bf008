import { fitLine, wrapLine } from "./columns.ts"

/** Lines that scroll, and on a terminal a board below them that is drawn again in its place. */
export interface Screen {
  print(lines: readonly string[]): void
  setBoard(lines: readonly string[]): void
  /** Takes the board away and holds back lines while something else writes, such as a question. */
  hold(): void
  resume(): void
}

export interface TerminalStream extends NodeJS.WritableStream {
  isTTY?: boolean
  columns?: number
}

/** The width of a terminal that does not tell, or says 0. */
const usualColumns = 80

export function createScreen(output: TerminalStream): Screen {
  let board: readonly string[] = []
  let drawn = 0
  let waiting: string[] | null = null

  const columns = () => output.columns || usualColumns

  function erase(): void {
    // To the board's first line, and all below it away.
    if (drawn > 0) output.write(`\u001b[${drawn}A\r\u001b[J`)
    drawn = 0
  }

  function draw(): void {
    if (!output.isTTY) return
    // A line of full width would be two on some terminals.
    for (const line of board) output.write(`${fitLine(line, columns() - 1)}\n`)
    drawn = board.length
  }

  function print(lines: readonly string[]): void {
    if (waiting !== null) {
      waiting.push(...lines)
      return
    }
    if (lines.length === 0) return
    erase()
    const written = output.isTTY ? lines.flatMap((line) => wrapLine(line, columns())) : lines
    output.write(written.map((line) => `${line}\n`).join(""))
    draw()
  }

  return {
    print,
    setBoard(lines) {
      if (lines.length === board.length && lines.every((line, at) => line === board[at])) return
      board = [...lines]
      if (waiting !== null || !output.isTTY) return
      erase()
      draw()
    },
    hold() {
      erase()
      waiting ??= []
    },
    resume() {
      const lines = waiting ?? []
      waiting = null
      if (lines.length > 0) print(lines)
      else draw()
    },
  }
}
