import type { Transport } from "@modelcontextprotocol/client"

/** The code of errors that a server names itself. */
const brokenOff = -32_000

/**
 * Lets a request fail whose stream of events ends without its answer. The protocol's library waits on, though nothing can
 * come any more.
 */
export function failUnanswered(transport: Transport): void {
  const open = new Set<string | number>()
  // The library calls these before its own.
  transport.onmessage = (message) => {
    if (!("method" in message) && message.id !== undefined) open.delete(message.id)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    if (!("method" in message && "id" in message)) return send(message, options)
    const { id } = message
    open.add(id)
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.()
      const error = { code: brokenOff, message: "its answer broke off. Its log may say why." }
      if (open.has(id)) transport.onmessage?.({ jsonrpc: "2.0", id, error })
    }
    try {
      await send(message, { ...options, onRequestStreamEnd })
    } catch (error) {
      open.delete(id)
      throw error
    }
  }
}
