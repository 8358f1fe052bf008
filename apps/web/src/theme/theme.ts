import { createTheme, type MantineColorsTuple } from "@mantine/core"

const indigo: MantineColorsTuple = [
  "#eceefe",
  "#dadcfc",
  "#b9bdf8",
  "#a8adff",
  "#7a77f0",
  "#5a55e8",
  "#4f46e5",
  "#463fd0",
  "#3932ac",
  "#2d2889",
]

const gray: MantineColorsTuple = [
  "#f8f9fb",
  "#f1f3f6",
  "#eaecf1",
  "#e0e3e9",
  "#c9cdd6",
  "#868c9b",
  "#5c6373",
  "#454b59",
  "#2a2f3a",
  "#15171c",
]

const dark: MantineColorsTuple = [
  "#e9ebf0",
  "#b9bfcb",
  "#969dac",
  "#6b7282",
  "#282c36",
  "#22262f",
  "#1b1e25",
  "#14161b",
  "#0f1115",
  "#0a0c0f",
]

const red: MantineColorsTuple = [
  "#fdeaea",
  "#f9d3d2",
  "#f2a9a6",
  "#ff8d88",
  "#e0605b",
  "#c93a36",
  "#bd2a27",
  "#a32220",
  "#861c1a",
  "#451c1c",
]

/** A dialog's `header` element would count as a second banner of the page. */
const noBanner = { header: { role: "presentation" } }

const motion = { transitionProps: { duration: 120 } }
const floating = { shadow: "md", ...motion }

/** Mantine with the design of tokens.css: 13/18 text, 28 px controls, radius 6, one accent. */
export const theme = createTheme({
  fontFamily: "var(--font-sans), system-ui, sans-serif",
  fontFamilyMonospace: "var(--font-mono), ui-monospace, monospace",
  fontSizes: { xs: "11px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "16px", sm: "18px", md: "21px", lg: "22px", xl: "28px" },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  radius: { xs: "3px", sm: "4px", md: "6px", lg: "8px", xl: "12px" },
  defaultRadius: "md",
  shadows: { md: "var(--dk-shadow)" },
  headings: { fontWeight: "550" },
  colors: { indigo, gray, dark, red },
  primaryColor: "indigo",
  primaryShade: { light: 6, dark: 5 },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    Button: {
      defaultProps: { size: "compact-sm", variant: "default" },
      vars: (_theme: unknown, { color, variant }: { color?: unknown; variant?: unknown }) => ({
        root: {
          "--button-height": "var(--dk-control)",
          "--button-padding-x": "10px",
          // By default, red would be nearly black on light and nearly white on dark.
          ...(color === "red" && variant === "subtle" && { "--button-color": "var(--dk-failed)" }),
        },
      }),
    },
    ActionIcon: {
      defaultProps: { variant: "subtle", color: "gray" },
      vars: (_theme: unknown, props: { size?: unknown }) =>
        props.size === undefined ? { root: { "--ai-size": "var(--dk-control)" } } : {},
    },
    Input: { vars: () => ({ wrapper: { "--input-height": "var(--dk-control)", "--input-fz": "13px" } }) },
    Tooltip: { defaultProps: { fz: 11, ...motion } },
    Menu: {
      defaultProps: { ...floating, position: "bottom-start", withinPortal: false, withInitialFocusPlaceholder: false },
    },
    Popover: { defaultProps: floating },
    Combobox: { defaultProps: { ...floating, withinPortal: false } },
    Modal: {
      defaultProps: {
        ...motion,
        padding: "lg",
        radius: "lg",
        overlayProps: { color: "var(--dk-backdrop)", backgroundOpacity: 1 },
        attributes: noBanner,
      },
    },
    Drawer: {
      defaultProps: {
        ...motion,
        overlayProps: { color: "var(--dk-backdrop)", backgroundOpacity: 1 },
        attributes: noBanner,
      },
    },
    TextInput: { defaultProps: { size: "sm" } },
    PasswordInput: { defaultProps: { size: "sm" } },
    Notification: { defaultProps: { radius: "md" } },
  },
})
