import { day } from "../../shared/times/moments.js";

/** Says on every page that the organization will be deleted. */
export function show({ organization }) {
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.dataset.tone = "warning";
    notice.style.marginBlockEnd = "var(--space-4)";
    const link = document.createElement("a");
    link.href = `/people?organization=${organization.slug}#leaving`;
    link.textContent = "Export it or keep it";
    const text = document.createElement("span");
    text.append(`This organization will be deleted on ${day(organization.deletionDueAt)}. `, link);
    notice.append(text);
    document.getElementById("main").prepend(notice);
}
