import type { LeftBehind } from "../../ground/schema/tool-metadata.ts"

/** Of one kind; more are only counted. */
const maxNamed = 20

const words: Readonly<Record<LeftBehind["kind"], { says: string; way: string }>> = {
  "switched-off": {
    says: "the command left what git would run as programs outside of it, and that was switched off",
    way: "The old text of settings stands in their file as comments, other files are called …switched-off. Only the user can allow it, by Allow on the card of this call; tell them, and do not make it again.",
  },
  "moved-aside": {
    says: "the command made files that other programs take as configuration, and they were moved aside",
    way: "Only the user can allow them, by Allow on the card of this call; tell them, and do not make them again.",
  },
  "still-there": {
    says: "the command left what programs outside of it would start, and it could neither be switched off nor moved",
    way: "Tell the user at once: they should not start git, an editor or a shell there before they have removed it by hand.",
  },
  "not-looked-at": {
    says: "these directories could not be looked through for settings of git and configuration",
    way: "Tell the user not to start git or an editor there before they have looked themselves.",
  },
}

/** What a command left behind and could not keep, for the model and who reads along. */
export function leftBehindNotes(left: readonly LeftBehind[]): string[] {
  return Object.entries(words).flatMap(([kind, { says, way }]) => {
    const named = left.filter((each) => each.kind === kind)
    if (named.length === 0) return []
    const more = named.length > maxNamed ? [`and ${named.length - maxNamed} more`] : []
    return [`[sandbox: ${says}:\n${[...named.slice(0, maxNamed).map(line), ...more].join("\n")}\n${way}]`]
  })
}

function line({ path, what, aside }: LeftBehind): string {
  const names = what.length > 0 ? ` (${what.join(", ")})` : ""
  return `${printable(path)}${printable(names)}${aside === undefined ? "" : ` → ${printable(aside)}`}`
}

/** A name is a program's choice: it stays on its line. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, "?")
}
