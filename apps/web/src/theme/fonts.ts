import localFont from "next/font/local"

/** Geist for all normal text. Served from the package, so that no page needs another network host. */
export const sans = localFont({
  src: "../../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  weight: "100 900",
  display: "swap",
  variable: "--font-sans",
  fallback: ["system-ui", "sans-serif"],
})

/** Geist Mono for commands, paths, code and diffs. */
export const mono = localFont({
  src: "../../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2",
  weight: "100 900",
  display: "swap",
  variable: "--font-mono",
  adjustFontFallback: false,
  fallback: ["ui-monospace", "monospace"],
})
