/** A string of a row, with the way to it: keys of records and places in lists. */
export interface RowText {
  path: readonly (string | number)[]
  text: string
  /** The name of a member, and not its value. */
  isKey: boolean
}

/** Members that hold what Docket itself made: ids, kinds, states. Their schemas let nothing else in. */
const ownMembers: ReadonlySet<string> = new Set([
  "id",
  "sessionID",
  "messageID",
  "partID",
  "rootID",
  "parentID",
  "projectID",
  "turnID",
  "todoID",
  "role",
  "type",
  "status",
])

/** Every string of a row that anybody but Docket may have written, names of members too. */
export function rowTexts(row: unknown): RowText[] {
  const texts: RowText[] = []
  const walk = (value: unknown, path: readonly (string | number)[]) => {
    if (typeof value === "string") texts.push({ path, text: value, isKey: false })
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index])
    else if (typeof value === "object" && value !== null)
      for (const [name, member] of Object.entries(value)) {
        if (path.length === 0 && ownMembers.has(name)) continue
        if (path.length > 0) texts.push({ path: [...path, name], text: name, isKey: true })
        walk(member, [...path, name])
      }
  }
  walk(row, [])
  return texts
}

/** The row with these strings in the places of its own. A name that another member has by then gets a number. */
export function withTexts(row: unknown, texts: ReadonlyMap<RowText, string>): unknown {
  if (texts.size === 0) return row
  const values = new Map<string, string>()
  const names = new Map<string, string>()
  for (const [{ path, isKey }, text] of texts) (isKey ? names : values).set(placeOf(path), text)
  const rewrite = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof value === "string") return values.get(placeOf(path)) ?? value
    if (Array.isArray(value)) return value.map((item, index) => rewrite(item, [...path, index]))
    if (typeof value !== "object" || value === null) return value
    const taken = new Set<string>()
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const own = [...path, name]
        return [freeName(names.get(placeOf(own)) ?? name, taken), rewrite(member, own)]
      }),
    )
  }
  return rewrite(row, [])
}

function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${name} (${count})`
  taken.add(free)
  return free
}

function placeOf(path: readonly (string | number)[]): string {
  return JSON.stringify(path)
}
