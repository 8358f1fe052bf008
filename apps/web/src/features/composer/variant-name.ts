export function variantName(variant: string | null): string {
  return variant ?? "default"
}
