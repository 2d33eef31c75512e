// The linter of the page's scripts; types are checked by tsc (tsconfig.json).

import js from "@eslint/js";

export default [
  { ignores: ["**/vendor/**", "**/node_modules/**", "docs/_build/**", ".venv/**"] },
  js.configs.recommended,
  {
    files: ["src/trajekt/server/static/*.js"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off", // tsc knows the browser's names
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "array-callback-return": "error",
      complexity: ["error", 15],
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "max-len": ["error", { code: 140 }],
      "max-depth": ["error", 4],
      "no-implicit-globals": "error",
      "no-shadow": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
