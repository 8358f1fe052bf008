import type { SpotlightActionData, SpotlightActionGroupData } from "@mantine/spotlight"

/** Groups whose entries the server found: they hold the words already, where the entry may not show them. */
export const foundGroups: ReadonlySet<string> = new Set(["Sessions", "In transcripts"])

/**
 * The entries that hold all words of the query, those whose label begins with it first. Without a query all of them,
 * after those that were used last. What the server found for other words, while it is `late`, has to hold these too.
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
