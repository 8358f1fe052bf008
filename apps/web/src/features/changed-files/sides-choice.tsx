import { SegmentedControl } from "@mantine/core"

interface SidesChoiceProps {
  split: boolean
  className?: string | undefined
  onChange(split: boolean): void
}

/** Whether a diff shows both sides of a file in one column or beside each other. */
export function SidesChoice({ split, className = "", onChange }: SidesChoiceProps) {
  return (
    <SegmentedControl
      aria-label="Lines"
      className={className}
      data={[
        { value: "unified", label: "Unified" },
        { value: "split", label: "Split" },
      ]}
      value={split ? "split" : "unified"}
      onChange={(value) => onChange(value === "split")}
    />
  )
}
