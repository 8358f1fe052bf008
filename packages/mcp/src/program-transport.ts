import type { Pace } from "@docket/core/pace"
import type { StartedProgram } from "@docket/core/start-program"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"

/** Bytes of a line; a longer one ends the connection before it is kept. */
const longestLine = 10 * 1024 * 1024
/** ms that a server has to end by itself once its input is closed. */
const graceMs = 2_000

export interface ProgramTransport extends Transport {
  /** By these the SDK knows that it speaks to a program. */
  readonly pid: number
  readonly stderr: null
  /** The program ended by itself. */
  hasEnded: boolean
}

/**
 * Messages of JSON-RPC as lines of a program's input and output. What is no message is told to `onNoise` and left out.
 * @param after calls a function after some ms and returns what cancels it
 */
export function createProgramTransport(
  program: StartedProgram,
  { onNoise, after, pace }: { onNoise(line: string): void; after(ms: number, run: () => void): () => void; pace: Pace },
): ProgramTransport {
  let isClosed = false
  let isStarted = false
  const transport: ProgramTransport = {
    pid: program.pid,
    stderr: null,
    hasEnded: false,
    async start() {
      if (isStarted) return
      isStarted = true
      let lines = 0
      const onLine = (line: string) => {
        lines += 1
        receive(line)
      }
      const split = linesWithin(longestLine, onLine, () => {
        transport.onerror?.(new Error("It sent a line of more than 10 MiB."))
        void transport.close()
      })
      program.stdout.on("data", (data: Buffer) => {
        lines = 0
        split(data)
        program.stdout.pause()
        void pace(lines).then(() => program.stdout.resume())
      })
    },
    async send(message) {
      if (isClosed) throw new Error("The server has ended.")
      const isWritten = await new Promise<boolean>((resolve) => {
        program.stdin.write(`${JSON.stringify(message)}\n`, (error) => resolve(!error))
      })
      if (isWritten) return
      // Mostly it has ended, which is told a moment later and says more.
      await goneOrLate()
      throw new Error("The server reads nothing any more.")
    },
    async close() {
      if (isClosed) return
      over()
      program.stdin.end()
      await goneOrLate()
      await program.end()
    },
  }
  const goneOrLate = async () => {
    const late = Promise.withResolvers<void>()
    const forget = after(graceMs, late.resolve)
    await Promise.race([program.ended, late.promise])
    forget()
  }
  const receive = (line: string) => {
    if (isClosed || line.trim() === "") return
    const message = messageIn(line)
    if (message === null) onNoise(line)
    else transport.onmessage?.(message)
  }
  const over = () => {
    if (isClosed) return
    isClosed = true
    transport.onclose?.()
  }
  void program.ended.then(() => {
    transport.hasEnded = !isClosed
    over()
  })
  return transport
}

function messageIn(line: string): JSONRPCMessage | null {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== "object" || value === null || !("jsonrpc" in value) || value.jsonrpc !== "2.0") return null
    // The SDK checks the rest of each message.
    return value as JSONRPCMessage
  } catch {
    return null
  }
}

/** Splits into lines and keeps at most `limit` bytes of one; `onExcess` is called once there are more. */
function linesWithin(limit: number, onLine: (line: string) => void, onExcess: () => void): (data: Buffer) => void {
  let kept: Buffer[] = []
  let size = 0
  let isOver = false
  return (data) => {
    if (isOver) return
    let rest = data
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      if (size + end > limit) break
      onLine(Buffer.concat([...kept, rest.subarray(0, end)]).toString("utf8"))
      kept = []
      size = 0
      rest = rest.subarray(end + 1)
    }
    size += rest.length
    if (size <= limit) return void kept.push(rest)
    kept = []
    isOver = true
    onExcess()
  }
}
