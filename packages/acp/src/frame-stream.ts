import type { AnyMessage, Stream } from "@agentclientprotocol/sdk/unstable"
import { linesWithin } from "@docket/core/lines-within"
import type { Pace } from "@docket/core/pace"
import { maxNesting, nesting } from "@docket/core/parse-json"
import type { StartedProgram } from "@docket/core/start-program"
import { z } from "zod"

/** Bytes of a frame. */
const longestFrame = 10 * 1024 * 1024
/** Characters of a line that is no frame, as it is noted. */
const longestNoise = 300

const Frame = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
})
type Frame = z.infer<typeof Frame>

interface FrameOptions {
  /** What a frame says, as frames in the protocol's own form. */
  translate(frame: unknown): unknown[]
  /** A notification. The SDK is not given them, because it would complain of each that it does not know. */
  onNotification(method: string, params: unknown): void
  /** A line that is no frame. */
  onNoise(line: string): void
  /** A frame of so many bytes came; false when no more is taken of this program. */
  takes(bytes: number): boolean
  /** What was read could not be dealt with. */
  onFailure(error: unknown): void
  pace: Pace
}

/**
 * The frames of a program as the SDK reads and writes them. Whatever is no frame, or an answer to nothing, is left out and
 * noted: it ends no turn. A frame that is too large fails it.
 */
export function frameStream(
  program: StartedProgram,
  { translate, onNotification, onNoise, takes, onFailure, pace }: FrameOptions,
): Stream {
  const asked = new Set<unknown>()
  const note = (line: string) => onNoise(line.length > longestNoise ? `${line.slice(0, longestNoise)}…` : line)
  let isOver = false
  const readable = new ReadableStream<AnyMessage>({
    cancel() {
      isOver = true
    },
    start(controller) {
      let lines = 0
      const receive = (line: Buffer) => {
        lines += 1
        if (isOver || !takes(line.length)) return
        const text = line.toString("utf8")
        const frame = frameIn(text)
        if (frame === null) return text === "" ? undefined : note(text)
        try {
          // A deeper value would overflow the stack wherever it is walked.
          if (nesting(text) > maxNesting) throw new Error(`a value nested deeper than ${maxNesting} levels`)
          translate(frame).forEach(pass)
        } catch (error) {
          onFailure(error)
        }
      }
      const pass = (frame: unknown) => {
        const { id, method, params } = frame as Frame
        if (method !== undefined && id === undefined) return onNotification(method, params)
        if (method === undefined && !asked.delete(id)) return note(`[Docket] It answered nothing that was asked.`)
        // The SDK checks the rest of each message.
        controller.enqueue(frame as AnyMessage)
      }
      const split = linesWithin(longestFrame, receive, (start) => {
        const what = `of more than ${longestFrame / 1024 ** 2} MiB`
        // Docket may wait for what a frame says.
        if (start.toString("utf8", 0, 1) === "{") onFailure(new Error(`a message ${what}`))
        else note(`[Docket] A line ${what} was left out.`)
      })
      program.stdout.on("data", (data: Buffer) => {
        lines = 0
        split(data)
        program.stdout.pause()
        void pace(lines).then(() => program.stdout.resume())
      })
      // A process that it left may hold its output open.
      void program.exited.then(() => {
        setImmediate(() => {
          if (!isOver) controller.close()
          isOver = true
        })
      })
    },
  })
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      if ("method" in message && "id" in message) asked.add(message.id)
      return new Promise((resolve, reject) => {
        program.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      })
    },
  })
  return { readable, writable }
}

function frameIn(text: string): Frame | null {
  try {
    return Frame.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
