/**
 * The entry of a version: what stands under "Unreleased" in the changelog, or under the version when nothing does.
 * @throws Error when there is neither
 */
export function changesOf(changelog: string, version: string): string {
  const sections = new Map(
    changelog
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [title = "", ...lines] = section.split("\n")
        return [title.trim(), lines.join("\n").trim()]
      }),
  )
  const text = sections.get("Unreleased") || sections.get(version)
  if (!text) throw new Error(`CHANGELOG.md says nothing about ${version}.`)
  return `# Docket ${version}\n\n${text}\n`
}
