import { createHash } from "node:crypto"
import { type IdKind, idPrefix } from "../schema/index.ts"
import { idDigits, maxTime } from "./id-time.ts"

/**
 * The id of what one request makes, however often it is sent: 83 bits of the SHA-256 of `request`. It holds no time (a
 * client's clock may say anything), so it is only for rows whose order nobody reads from their ids.
 */
export function keyedID(kind: IdKind, request: string): string {
  let rest = BigInt(`0x${createHash("sha256").update(`${kind}\n${request}`).digest("hex")}`)
  let text = ""
  for (; text.length < 14; rest /= 62n) text += idDigits.charAt(Number(rest % 62n))
  const time = kind === "session" ? maxTime : 0
  return `${idPrefix[kind]}_${time.toString(16).padStart(12, "0")}${text}`
}
