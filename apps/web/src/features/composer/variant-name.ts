/** What the variant picker says, also when nothing is chosen. */
export function variantName(variant: string | null): string {
  return variant ?? "default"
}
