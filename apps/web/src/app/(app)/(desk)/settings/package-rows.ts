import { visibleText } from "@docket/core/rule"
import type { PackageFacts } from "@docket/core/schema"

/** Facts about a package, by label. Texts from the package may contain invisible characters, which are made visible. */
export function packageRows(facts: PackageFacts): { label: string; value: string }[] {
  const { dependencies } = facts
  const rows: [string, string | null][] = [
    ["Package", `${facts.name} ${facts.version}`],
    ["Says of itself", facts.description],
    ["Comes from", facts.source],
    ["Integrity", facts.integrity],
    ["Code", facts.repository ?? "It names no repository"],
    ["License", facts.license ?? "None named"],
    ["Brings along", dependencies.length === 0 ? "Nothing" : dependencies.join(", ")],
    ["Scripts", facts.hasInstallScripts ? "It has scripts for its installation; they are not run" : null],
    ["Deprecated", facts.deprecated],
  ]
  return rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value: visibleText(value) }]))
}
