/** The text of the variant picker. */
export function variantName(variant: string | null): string {
  return variant ?? "default"
}
