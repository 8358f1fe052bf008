import type { AnswerFrame } from "../plugin-process.ts"

/** Most bytes of an answer: far more than any model says. */
const longestAnswer = 64 * 1024 * 1024
/** These have no body, by the standard. */
const withoutBody = [204, 205, 304]
/** What a plugin sends on is not encoded any more. */
const ofEncoding = new Set(["content-encoding", "content-length", "transfer-encoding"])

/** The plugin goes on and on. */
export class AnswerTooLong extends Error {}

interface AnswerCall {
  onFrame(frame: AnswerFrame, more: () => void): void
  signal: AbortSignal
}

/**
 * An answer that comes in frames. The next piece is asked for once the last one was taken, and no more once nobody reads.
 * `call` resolves at the end of the answer.
 */
export function answerOf(call: (how: AnswerCall) => Promise<unknown>, signal: AbortSignal | null): Promise<Response> {
  const head = Promise.withResolvers<Response>()
  const unread = new AbortController()
  let body: ReadableStreamDefaultController<Uint8Array> | null = null
  let piece = Promise.withResolvers<void>()
  let length = 0
  let next = () => {}
  const onFrame = (frame: AnswerFrame, more: () => void) => {
    next = more
    if ("status" in frame) {
      const { status } = frame
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          body = controller
        },
        pull() {
          piece = Promise.withResolvers()
          next()
          return piece.promise
        },
        cancel: () => unread.abort(),
      })
      const headers = frame.headers.filter(([name]) => !ofEncoding.has(name.toLowerCase()))
      head.resolve(new Response(withoutBody.includes(status) ? null : stream, { status, headers }))
      return
    }
    length += frame.bytes.length
    if (length > longestAnswer) {
      const error = new AnswerTooLong("The answer of the plugin is longer than 64 MiB.")
      fail(error)
      unread.abort(error)
      return
    }
    body?.enqueue(frame.bytes)
    piece.resolve()
  }
  const fail = (error: unknown) => {
    head.reject(error)
    body?.error(error)
    body = null
    piece.resolve()
  }
  const all = AbortSignal.any([unread.signal, ...(signal === null ? [] : [signal])])
  call({ onFrame, signal: all }).then(() => {
    head.reject(new Error("The plugin answered nothing."))
    if (!unread.signal.aborted) body?.close()
    body = null
    piece.resolve()
  }, fail)
  return head.promise
}
