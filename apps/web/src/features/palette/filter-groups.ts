import type { SpotlightActionData, SpotlightActionGroupData } from "@mantine/spotlight"

/** Groups with search results of the server: they match the query even if the label does not contain its words. */
export const foundGroups: ReadonlySet<string> = new Set(["Sessions", "In transcripts"])

/**
 * The entries that contain all words of the query; labels that begin with it come first. Without a query, all entries,
 * after the recently used ones. While search results are `late` (of an earlier query), they must contain the words too.
 */
export function filterGroups(
  query: string,
  groups: readonly SpotlightActionGroupData[],
  recent: readonly string[],
  late = false,
): SpotlightActionGroupData[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...recentGroup(groups, recent), ...groups]
  return groups
    .map((group) =>
      !late && foundGroups.has(group.group) ? group : { ...group, actions: matching(group.actions, words) },
    )
    .filter(({ actions }) => actions.length > 0)
}

function recentGroup(groups: readonly SpotlightActionGroupData[], recent: readonly string[]) {
  const all = new Map(groups.flatMap(({ actions }) => actions.map((action) => [action.id, action])))
  const actions = recent.flatMap((id) => all.get(id) ?? []).map((action) => ({ ...action, id: `recent:${action.id}` }))
  return actions.length === 0 ? [] : [{ group: "Recent", actions }]
}

function matching(actions: SpotlightActionData[], words: string[]): SpotlightActionData[] {
  const first = words[0] ?? ""
  const begins = ({ label = "" }: SpotlightActionData) => Number(label.toLowerCase().startsWith(first))
  return actions
    .filter((action) => words.every((word) => searched(action).includes(word)))
    .sort((a, b) => begins(b) - begins(a))
}

function searched({ label = "", description = "", keywords = [] }: SpotlightActionData): string {
  return [label, description, ...keywords].join("\n").toLowerCase()
}
