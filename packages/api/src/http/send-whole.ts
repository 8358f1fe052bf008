import type { ServerResponse } from "node:http"
import { sendBody } from "./respond.ts"

/**
 * Collects what is written to a response as plain JSON and sends it in one piece: tRPC writes answers without their
 * length. Streams pass through.
 */
export function sendWhole(res: ServerResponse): void {
  const { write, end } = res
  const held: Uint8Array[] = []
  // A batch can be sent as lines of JSON with the same content type. Each line is sent as it comes.
  const isWhole = () =>
    !res.headersSent && res.getHeader("content-type") === "application/json" && !res.hasHeader("transfer-encoding")
  const hold = (chunk: unknown) => {
    if (typeof chunk === "string") held.push(Buffer.from(chunk))
    else if (chunk instanceof Uint8Array) held.push(chunk)
  }
  const letGo = () => Object.assign(res, { write, end })
  const replaced = {
    write(...args: Parameters<typeof write>) {
      if (!isWhole()) return letGo().write(...args)
      hold(args[0])
      return true
    },
    end(...args: Parameters<typeof end>) {
      hold(args[0])
      if (held.length === 0 || !isWhole()) return letGo().end(...args)
      void sendBody(letGo(), res.statusCode, Buffer.concat(held))
      return res
    },
  }
  Object.assign(res, replaced)
}
