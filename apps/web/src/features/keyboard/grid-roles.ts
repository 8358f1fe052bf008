/** ARIA roles for a layout grid of controls (ARIA APG), spread onto plain elements: a `<table>` would announce data. */
export const grid = (label: string) => ({ role: "grid", "aria-label": label }) as const
export const rowGroup = { role: "rowgroup" } as const
export const row = { role: "row" } as const
export const gridCell = { role: "gridcell" } as const
