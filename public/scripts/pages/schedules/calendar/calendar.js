import { onPress } from "../../../shared/forms/form.js";
import { list, number } from "../../../shared/words/numbers.js";
import { words as problemWords } from "../../../shared/api/problem.js";
import { clone, part } from "../../../shared/page/template.js";
import { agendaDays, showMonth, showNextDays } from "./agenda.js";
import { openDay } from "./calendar-day.js";
import { calendarEntries } from "./calendar-entries.js";
import { entryItem, freezeBar } from "./calendar-items.js";
import { beginning, dayName, dayOf, monthName, monthPlus, plus, weeksOf } from "./days.js";
import { coveredWords } from "../../../shared/words/freeze-words.js";
import { whenWords } from "../../../shared/words/schedule-words.js";

const maximumShown = 3;
/** The screens that show the agenda: the same as in the styles. */
const narrow = matchMedia("(width < 48rem)");

/** The keys that move from day to day, and how far. */
const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/**
 * A month of past and due runs, scheduled publications and freezes: a grid, or an agenda on narrow screens. The month
 * is in the page's address. Tab reaches one day, the arrow keys the others.
 */
export class Calendar {
    #session;
    #root;
    #month;
    #focused;
    #told = null;
    #turn = 0;

    constructor(main, session) {
        this.#session = session;
        this.#root = part(main, "calendar");
        const asked = new URLSearchParams(location.search).get("month");
        this.#month = monthPlus(/^20\d\d-(0[1-9]|1[0-2])$/.test(asked) ? `${asked}-01` : dayOf(new Date()), 0);
        this.#focused = this.#usualFocus();
        this.#moves("previous", () => monthPlus(this.#month, -1));
        this.#moves("next", () => monthPlus(this.#month, 1));
        this.#moves("today", () => dayOf(new Date()));
        this.#moves("following", () => monthPlus(this.#month, 1));
        narrow.addEventListener("change", () => this.showOrTell());
        part(this.#root, "weeks").addEventListener("keydown", (event) => this.#pressed(event));
        for (const name of ["weeks", "agendas"]) {
            part(this.#root, name).addEventListener("click", ({ target }) => this.#open(target.closest("[data-day]")));
        }
    }

    /** Loads and shows the month. A late answer to an earlier request is ignored. */
    async show() {
        const turn = ++this.#turn;
        const weeks = weeksOf(this.#month);
        const days = weeks.flat();
        const soon = plus(dayOf(new Date()), agendaDays);
        while (this.#showsNextDays && days.at(-1) < soon) days.push(plus(days.at(-1), 1));
        const told = await calendarEntries(this.#session.api, days);
        if (turn !== this.#turn) return;
        this.#told = told;
        this.#draw(weeks, days);
    }

    /** The same, but shows a failure in the calendar: the rest of the page works without it. */
    async showOrTell() {
        await this.show().catch((error) => this.#failed(error));
    }

    #draw(weeks, days) {
        const hadFocus = part(this.#root, "weeks").contains(document.activeElement);
        part(this.#root, "month").textContent = this.#showsNextDays ? `Next ${agendaDays} days` : monthName(this.#month);
        part(this.#root, "zone").textContent = `Days and times are in your time zone, ${this.#told.zone}.`;
        part(this.#root, "problem").hidden = part(this.#root, "loading").hidden = true;
        part(this.#root, "weeks").replaceChildren(...weeks.map((week) => this.#week(week)));
        this.#drawAgenda(days);
        this.#drawOften();
        if (hadFocus) this.#dayButton(this.#focused)?.focus();
    }

    #week(days) {
        const row = document.createElement("tr");
        // Each freeze of the week has its own lane, so that it is one line through its days.
        const lanes = this.#told.freezes.filter(({ first, last }) => first <= days[6] && last >= days[0]);
        row.append(...days.map((day) => this.#cell(day, lanes)));
        return row;
    }

    #cell(day, lanes) {
        const cell = clone("calendar-day-cell", { number: String(beginning(day).getDate()) });
        const entries = this.#told.entries.get(day) ?? [];
        cell.dataset.day = day;
        cell.classList.toggle("is-outside", monthPlus(day, 0) !== this.#month);
        const button = part(cell, "day");
        button.tabIndex = day === this.#focused ? 0 : -1;
        button.setAttribute("aria-label", this.#dayWords(day, entries));
        if (day === dayOf(new Date())) button.setAttribute("aria-current", "date");
        part(cell, "freezes").replaceChildren(...lanes.map((span) => freezeBar(span, day)));
        part(cell, "entries").replaceChildren(...entries.slice(0, maximumShown).map(entryItem));
        const more = entries.length - maximumShown;
        part(cell, "more").textContent = more > 0 ? `${number(more)} more` : "";
        return cell;
    }

    /** The agenda of the next days has no month, so it has no steps to other months beside its title. */
    #drawAgenda(days) {
        const looksAhead = this.#showsNextDays;
        const following = part(this.#root, "following");
        const focused = document.activeElement;
        part(this.#root, "moves").hidden = looksAhead;
        following.hidden = !looksAhead;
        following.textContent = `Show ${monthName(monthPlus(this.#month, 1))}`;
        if (looksAhead) showNextDays(this.#root, this.#told, days.filter((day) => day >= this.#month));
        else showMonth(this.#root, this.#told, days.filter((day) => monthPlus(day, 0) === this.#month));
        if (focused.closest("button") && !focused.checkVisibility()) part(this.#root, "month").focus();
    }

    #drawOften() {
        const { often } = this.#told;
        part(this.#root, "often").hidden = often.length === 0;
        const names = often.map((schedule) => `${schedule.name} (${whenWords(schedule)})`);
        part(this.#root, "often").textContent = `Runs too often to show in advance: ${list(names)}.`;
    }

    #dayWords(day, entries) {
        const parts = [
            ...this.#frozenOn(day).map(({ freeze }) => `frozen, ${coveredWords(freeze)}`),
            ...entries.slice(0, maximumShown).map(({ clock, name, words }) => `${clock} ${name}, ${words}`),
            entries.length > maximumShown && `${number(entries.length - maximumShown)} more`,
        ].filter(Boolean);
        return `${dayName(day)}: ${parts.length ? parts.join("; ") : "nothing"}`;
    }

    #frozenOn(day) {
        return this.#told.freezes.filter(({ first, last }) => first <= day && last >= day);
    }

    #open(element) {
        const day = element?.dataset.day;
        if (!day || !this.#told) return;
        this.#focusOn(day);
        const entries = this.#told.entries.get(day) ?? [];
        openDay(day, { entries, freezes: this.#frozenOn(day) }, this.#session);
    }

    async #pressed(event) {
        const day = event.target.closest("[data-day]")?.dataset.day;
        if (!day || event.altKey || event.ctrlKey || event.metaKey) return;
        const goal = dayAfter(event.key, day);
        if (!goal) return;
        event.preventDefault();
        this.#focusOn(goal);
        if (!this.#dayButton(goal)) {
            this.#month = monthPlus(goal, 0);
            this.#keepMonth();
            await this.showOrTell();
        }
        this.#dayButton(goal)?.focus();
    }

    #focusOn(day) {
        this.#focused = day;
        for (const button of this.#root.querySelectorAll(".calendar-day-number")) {
            button.tabIndex = button.closest("[data-day]").dataset.day === day ? 0 : -1;
        }
    }

    #dayButton(day) {
        return this.#root.querySelector(`.calendar-month [data-day="${day}"] .calendar-day-number`);
    }

    #moves(button, day) {
        onPress(part(this.#root, button), () => this.#move(day()), (error) => this.#failed(error));
    }

    async #move(day) {
        this.#month = monthPlus(day, 0);
        this.#focused = this.#usualFocus();
        this.#keepMonth();
        await this.show();
    }

    /** Today if it is in the month, or else its first day. */
    #usualFocus() {
        return this.#isCurrent ? dayOf(new Date()) : this.#month;
    }

    get #isCurrent() {
        return this.#month === monthPlus(dayOf(new Date()), 0);
    }

    get #showsNextDays() {
        return this.#isCurrent && narrow.matches;
    }

    #keepMonth() {
        const address = new URL(location.href);
        if (this.#isCurrent) address.searchParams.delete("month");
        else address.searchParams.set("month", this.#month.slice(0, 7));
        history.replaceState(null, "", address);
    }

    #failed(error) {
        part(this.#root, "loading").hidden = true;
        const problem = part(this.#root, "problem");
        problem.textContent = problemWords(error);
        problem.hidden = false;
    }
}

function dayAfter(key, day) {
    if (key in moves) return plus(day, moves[key]);
    if (key === "PageUp") return sameDay(day, -1);
    if (key === "PageDown") return sameDay(day, 1);
    const weekday = (beginning(day).getDay() + 6) % 7;
    if (key === "Home") return plus(day, -weekday);
    return key === "End" ? plus(day, 6 - weekday) : null;
}

/** The same day of another month, or its last day if it has fewer. */
function sameDay(day, months) {
    const last = plus(monthPlus(day, months + 1), -1);
    const wanted = `${last.slice(0, 7)}-${day.slice(8)}`;
    return wanted < last ? wanted : last;
}
