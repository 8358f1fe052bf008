/** In its own file, so that the lazy import loads nothing else of Mantine. */
export { Tooltip } from "@mantine/core"
