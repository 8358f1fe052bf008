import type { TreeSeed } from "@docket/client"
import { holdsPlace } from "./holds-place.ts"

/**
 * The seed for a reader who opens a place (a message or part; null for the end). Messages of another place are left
 * out.
 */
export function seedFor(seed: TreeSeed, around: string | null): TreeSeed {
  const { page } = seed
  if (page === null) return seed
  const fits = around === null ? page.after === null : page.items.some((message) => holdsPlace(message, around))
  return fits ? seed : { ...seed, page: null }
}
