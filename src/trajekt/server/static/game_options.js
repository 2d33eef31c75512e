// @ts-check
// Edition and variants of a game in a form: which fit together, how many may play, and the options as they are sent.

/** @param {ParentNode} form */
export function edition(form) {
  return /** @type {HTMLInputElement} */ (form.querySelector("[name=edition]:checked, [name^='edition-']:checked"));
}

/** How many may play: as the edition says, or a variant that is a game of its own. @param {ParentNode} form */
export function limits(form) {
  const own = [...form.querySelectorAll("[name=variant]:checked, [name=variant-value] option:checked")].filter(
    (each) => /** @type {HTMLElement} */ (each).dataset.low && !each.closest("label[hidden]"),
  );
  const { low, high } = /** @type {HTMLElement} */ (own[0] || edition(form)).dataset;
  return { low: Number(low), high: Number(high) };
}

/** @param {ParentNode} form */
const sets = (form) => /** @type {HTMLSelectElement | null} */ (form.querySelector("[name=component_set]"));

/** A set that is asked for brings its edition with it. @param {ParentNode} form */
export function chooseEditionOfSet(form) {
  const wanted = sets(form)?.selectedOptions[0]?.dataset.edition;
  const radio = wanted && form.querySelector(`[name=edition][value='${wanted}']`);
  if (radio) /** @type {HTMLInputElement} */ (radio).checked = true;
}

/** The component set that is chosen, as it is sent. @param {ParentNode} form @returns {{component_set?: string}} */
export function readSet(form) {
  const chosen = sets(form)?.value;
  return chosen ? { component_set: chosen } : {};
}

/** Only what the chosen edition knows can be chosen. @param {ParentNode} form */
export function fitVariants(form) {
  const list = sets(form);
  for (const option of list?.options || []) {
    const of = option.dataset.edition;
    option.hidden = option.disabled = Boolean(of) && of !== edition(form).value;
  }
  if (list?.selectedOptions[0]?.disabled) list.value = "";
  for (const label of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-editions]"))) {
    label.hidden = !(label.dataset.editions || "").split(" ").includes(edition(form).value);
  }
}

/** The inputs of a form that its edition knows. @param {ParentNode} form @param {string} query */
export const shownInputs = (form, query) =>
  /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(query)]).filter((input) => !input.closest("label[hidden]"));

/** Edition and variants as they are sent. @param {ParentNode} form */
export function readOptions(form) {
  /** @type {Record<string, unknown>} */
  const options = { edition: Number(edition(form).value) };
  for (const box of shownInputs(form, "[name=variant]:checked")) options[box.value] = true;
  for (const list of shownInputs(form, "[name=variant-value]")) {
    if (list.value) options[list.dataset.option || ""] = JSON.parse(list.value);
  }
  return options;
}
