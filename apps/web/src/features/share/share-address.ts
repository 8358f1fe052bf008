import type { FileAddress } from "../tools/shown-file.ts"

export function shareAddress(secret: string): string {
  return `/share/${secret}`
}

export function childAddress(secret: string, sessionID: string): string {
  return `/share/${secret}/c/${sessionID}`
}

/** The page for a frame on another site. */
export function embedAddress(secret: string): string {
  return `/embed/${secret}`
}

/** The page that opens at a part, in any session of the tree. */
export function partAddress(secret: string, partID: string): string {
  return `/share/${secret}/p/${partID}`
}

/** The page of a session in the tree: the link itself for the root, an address below it for others. */
export function sessionAddress(secret: string, session: { id: string; rootID: string }): string {
  return session.id === session.rootID ? shareAddress(secret) : childAddress(secret, session.id)
}

/** The address of a file that a part of the link shows. */
export function sharedFileAddress(secret: string): FileAddress {
  return ({ id }, hash) => `/api/share/${secret}/file/${id}/${hash}`
}
