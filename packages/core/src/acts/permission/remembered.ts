import { DocketError } from "../../ground/error/docket-error.ts"
import { grantReach, reaches } from "../../ground/rule/grant-reach.ts"
import { visibleText } from "../../ground/rule/visible-text.ts"
import type { GrantScope, PermissionMemory, PermissionRequest } from "../../ground/schema/index.ts"

/** What a person wants "always" to remember. */
export interface Remember {
  /** In place of those that the request offers: each counts exactly as it was typed, for the request's permission. */
  patterns?: readonly string[] | undefined
  /** Default `tree`. */
  within?: GrantScope | undefined
}

/** More are no answer to one question. */
const maxPatterns = 50
/** Characters. */
const maxPattern = 2_000

/**
 * What the answer "always" is to allow.
 * @throws invalid_input when a pattern is empty, too long, or holds characters that nobody sees, or when it may not reach
 * that far
 */
export function rememberedBy(
  request: PermissionRequest,
  { patterns, within = "tree" }: Remember = {},
): PermissionMemory {
  const remembered = patterns === undefined ? request.always : typedPatterns(patterns)
  const reach = grantReach(request.permission, [...request.patterns, ...remembered])
  if (!reaches(reach, within)) throw refused(`This cannot be allowed that far. ${reach.why?.replace(/\.$/, "")}`)
  return {
    patterns: remembered,
    sessionID: within === "task" ? request.sessionID : null,
    ...((within === "project" || within === "everywhere") && { beyond: within }),
  }
}

function typedPatterns(patterns: readonly string[]): string[] {
  const typed = [...new Set(patterns.map((pattern) => pattern.trim()))]
  const [first] = typed
  if (first === undefined) throw refused('Nothing is named that "always" could allow. Allow it once, or name a pattern')
  if (typed.length > maxPatterns) throw refused(`At most ${maxPatterns} patterns are remembered with one answer`)
  for (const pattern of typed) {
    if (pattern === "") throw refused("A pattern is empty. Remove it, or write * for everything")
    if (pattern.length > maxPattern) throw refused(`A pattern is longer than ${maxPattern} characters`)
    if (visibleText(pattern) !== pattern || /[\r\n]/.test(pattern))
      throw refused(`The pattern ${visibleText(pattern)} holds characters that cannot be seen`)
  }
  return typed
}

function refused(reason: string): DocketError {
  return new DocketError("invalid_input", `${reason}.`)
}
