/** A script in a template, as `parseTemplate` finds it. */
const script = /!`([^`]+)`/g

/** What a command's template runs, for whoever is asked to trust it. */
export function templateNotes(template: string): string[] {
  const scripts = [...template.matchAll(script)].map(([, text = ""]) => text)
  return [...new Set(scripts)].map((text) => `Runs \`${text}\` when it is used, as far as the rules let it.`)
}
