package dev.mooring.syncagent;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.mooring.runtime.architecture.HouseRules;

@AnalyzeClasses(
    packages = "dev.mooring.syncagent",
    importOptions = ImportOption.DoNotIncludeTests.class)
class SyncAgentArchitectureTest {
  @ArchTest static final ArchTests HOUSE = ArchTests.in(HouseRules.class);
}
