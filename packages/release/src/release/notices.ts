import type { ContainedPackage } from "./contained-packages.ts"

const line = "-".repeat(80)

/** The text of THIRD-PARTY-LICENSES.txt: equal texts stand once, below all packages that they are for. */
export function noticesOf(packages: readonly ContainedPackage[]): string {
  const byText = Map.groupBy(packages, ({ texts }) => texts.map((text) => text.trim()).join("\n\n"))
  const blocks = [...byText].map(([text, those]) => {
    const names = those.map(({ name, version, license, homepage }) =>
      [`${name} ${version} (${license})`, homepage].filter((part) => part !== null && part !== "").join(" "),
    )
    return [line, ...names, "", text === "" ? "The package brings no text of its licence." : text, ""].join("\n")
  })
  return `Docket contains code of these packages, under their own licences.\n\n${blocks.join("\n")}`
}
