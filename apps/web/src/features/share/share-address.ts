export function shareAddress(secret: string): string {
  return `/share/${secret}`
}

export function childAddress(secret: string, sessionID: string): string {
  return `/share/${secret}/c/${sessionID}`
}

/** The page for frames of other sites. */
export function embedAddress(secret: string): string {
  return `/embed/${secret}`
}

/** The page that opens at a part, whichever session it is in. */
export function partAddress(secret: string, partID: string): string {
  return `/share/${secret}/p/${partID}`
}

/** The page of a session of the tree: the root is the link itself, others are below it. */
export function sessionAddress(secret: string, session: { id: string; rootID: string }): string {
  return session.id === session.rootID ? shareAddress(secret) : childAddress(secret, session.id)
}
