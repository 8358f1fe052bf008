import { type FirstView, fitsPage, readFirst, readPage, seedOf } from "../transcript/first/read-first.ts"

interface Address {
  rootID: string
  sessionID: string
  /** The part that the address names. */
  part: string | null
}

/** What the document of a session brings along; null for what comes after it. */
export function readFirstView(address: Address): Promise<FirstView | null> {
  return readFirst(async (trees) => {
    const [snapshot, page] = await Promise.all([trees.session.tree(address.sessionID), readPage(trees, address)])
    const seed = fitsPage(address.rootID, snapshot) ? seedOf(address, snapshot, page) : null
    return seed && { seed }
  })
}
