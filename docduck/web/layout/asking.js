// Forms with data-ask, or buttons of forms with it, ask before they are sent.
//
// It runs before the page is shown, unlike modules: nothing can be pressed that does not ask yet.

{
  const agreed = new WeakSet();
  let isAsking = false;
  let ask = null;
  const loading = import("./dialogs.js").then(
    (dialogs) => (ask = dialogs.ask),
    () => (ask = ({ title }) => confirm(title)),
  );

  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    const asking = submitter?.dataset.ask ? submitter : form.dataset.ask ? form : null;
    if (!asking || event.defaultPrevented || agreed.delete(form)) return;
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    if (!ask) await loading;
    const { ask: title, askText: text, askLabel: label } = asking.dataset;
    const isAgreed = await ask({ title, text, label: label || submitter?.textContent.trim(), danger: "askDanger" in asking.dataset });
    isAsking = false;
    if (!isAgreed) return;
    agreed.add(form);
    form.requestSubmit(submitter);
  });
}
