/** Mantine's mixins (`light-dark`, `hover`, `smaller-than`) and `rem()` in CSS modules. */
export default { plugins: { "postcss-preset-mantine": {} } }
